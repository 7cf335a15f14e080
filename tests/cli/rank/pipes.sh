# A pipe that nobody writes to is refused, wherever a file is read: nothing waits for it.
. "$CASE_DIR/spec.inc"
mkfifo pipe
timeout 20 ridge rank pipe --device A4000; echo "exit $?"
timeout 20 ridge rank . --device A4000 --evidence pipe; echo "exit $?"
timeout 20 ridge calibrate . --device A4000 --record pipe; echo "exit $?"
timeout 20 ridge import pipe; echo "exit $?"
timeout 20 ridge show last --db pipe; echo "exit $?"
