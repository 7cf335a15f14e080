ridge devices --data no/such/folder
