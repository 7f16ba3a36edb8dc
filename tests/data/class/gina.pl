use strict;
use warnings;

my $n = 8;

sub place {
    my @columns = @_;
    my $row = scalar @columns;
    if ($row == $n) {
        print join(" ", @columns), "\n";
        return;
    }
    COLUMN: for my $column (0 .. $n - 1) {
        for my $r (0 .. $row - 1) {
            next COLUMN if $columns[$r] == $column || abs($columns[$r] - $column) == $row - $r;
        }
        place(@columns, $column);
    }
}

place();
