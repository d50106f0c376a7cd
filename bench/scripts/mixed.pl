# mixed.pl FILE ROUNDS: count words, rewrite lines, sort, and a small interpreter of nested lists.
use strict;
use warnings;

my ($file, $rounds) = @ARGV;
open my $in, '<', $file or die "$file: $!";
my @lines = <$in>;
close $in;

sub fold {
    my ($list) = @_;
    my $sum = 0;
    $sum += ref $_ ? fold($_) : $_ for @$list;
    return $sum % 65521;
}

sub nest { my ($depth) = @_; return $depth ? [ $depth, nest($depth - 1), nest($depth - 1) ] : [ 1, 2, 3 ] }

for my $round (1 .. $rounds) {
    my (%count, @out);
    for my $line (@lines) {
        $count{ lc $1 }++ while $line =~ /([A-Za-z_]\w+)/g;
        if ($line =~ s/\b(\w)(\w*)\b/\U$1\E$2/g) { push @out, join ' ', reverse split ' ', $line }
    }
    my @top = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
    my $length = 0;
    $length += length for @out;
    print "$round $length ", scalar(@top), " $top[0] $top[1] ", fold(nest(12)), "\n";
}
