ridge devices "GeForce RTX 3095"
echo $?
ridge devices cc:13.0
echo $?
ridge devices cc -1
