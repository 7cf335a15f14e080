# SPDX-License-Identifier: MIT
# It says where it looked.
ridge runs
ridge show last --db elsewhere.db
echo "exit $?"
RIDGE_DB=third.db ridge show 1
