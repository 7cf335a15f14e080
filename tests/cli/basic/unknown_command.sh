ridge fly
