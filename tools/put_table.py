#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Put a table into a page, between the lines `<!-- table -->` and `<!-- end -->`: COMMAND | put_table.py FILE."""
import pathlib, sys

BEGIN, END = '<!-- table -->\n', '<!-- end -->'


def markdown(head, rows):
    """Lines of a table: a list of cells for the head, and one for each row."""
    return '\n'.join('| ' + ' | '.join(cells) + ' |' for cells in [head, ['---'] * len(head), *rows])


def put_table(path, text):
    """Replace what stands between the two lines of the page."""
    page = pathlib.Path(path)
    before, rest = page.read_text().split(BEGIN, 1)
    page.write_text(before + BEGIN + text.strip('\n') + '\n' + END + rest.split(END, 1)[1])


def take_table(path):
    """\\return rows of the table that stands there, each a list of cells; none where there is none."""
    text = pathlib.Path(path).read_text().split(BEGIN, 1)[1].split(END, 1)[0]
    return [[cell.strip() for cell in line.strip('|').split('|')] for line in text.splitlines() if line[:1] == '|'][2:]


if __name__ == '__main__':
    given = sys.stdin.read()
    sys.exit('put_table.py: nothing was given on standard input') if not given.strip() else put_table(sys.argv[1], given)
