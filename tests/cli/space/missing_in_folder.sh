mkdir folder
ridge space folder
