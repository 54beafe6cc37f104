# Takes connections on the socket $server of bridge.pl and passes their bytes to the daemon's proxy on the socket $path, until the
# box ends. Owns no rule: the daemon decides.
( $AF_UNIX, $SOCK_STREAM, $F_SETFL, $O_NONBLOCK, $EINTR, $EAGAIN, $SHUT_WR ) = ( 1, 1, 4, 04000, 4, 11, 1 );
$PAIRS_MAX = 200;        # the proxy takes 100
$CHUNK     = 1 << 16;    # what one side may be ahead of the other
$ANSWER    = "duetty: there is no network in this box now, because the daemon does not run.\n";

# By descriptor: the handle, its other side, what still is to be written to it, and whether it has nothing more to say.
my (%handle, %other, %rest, %ended);

while (1) {
  my ($in, $out) = ("", "");
  vec($in, fileno($server), 1) = 1 if keys(%handle) < 2 * $PAIRS_MAX;
  for my $fd (keys %handle) {
    vec($in,  $fd, 1) = 1 if !$ended{$fd} && $rest{ $other{$fd} } eq "";
    vec($out, $fd, 1) = 1 if $rest{$fd} ne "";
  }
  next if select($in, $out, undef, undef) < 0;
  for my $fd (keys %handle) {
    flush_to($fd) if $handle{$fd} && vec($out, $fd, 1);
    take_from($fd) if $handle{$fd} && vec($in, $fd, 1);
  }
  welcome() if vec($in, fileno($server), 1);
}

sub welcome {
  accept(my $client, $server) or return;
  socket(my $proxy, $AF_UNIX, $SOCK_STREAM, 0) or return;
  if (!connect($proxy, pack("S a108", $AF_UNIX, $path))) {
    syswrite($client, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: " . length($ANSWER) . "\r\nConnection: close\r\n\r\n$ANSWER");
    return;
  }
  my ($a, $b) = (fileno($client), fileno($proxy));
  for ([$a, $client, $b], [$b, $proxy, $a]) {
    my ($fd, $one, $opposite) = @$_;
    fcntl($one, $F_SETFL, $O_NONBLOCK);
    ($handle{$fd}, $other{$fd}, $rest{$fd}, $ended{$fd}) = ($one, $opposite, "", 0);
  }
}

sub take_from {
  my ($fd) = @_;
  my $to   = $other{$fd};
  my $read = sysread($handle{$fd}, $rest{$to}, $CHUNK);
  return is_later() || end_both($fd) unless defined $read;
  return flush_to($to) if $read > 0;
  $ended{$fd} = 1;
  $ended{$to} ? end_both($fd) : shutdown($handle{$to}, $SHUT_WR);
}

sub flush_to {
  my ($fd) = @_;
  my $written = syswrite($handle{$fd}, $rest{$fd});
  return is_later() || end_both($fd) unless defined $written;
  substr($rest{$fd}, 0, $written, "");
}

sub is_later { return $! == $EAGAIN || $! == $EINTR }

sub end_both {
  my ($fd) = @_;
  for my $one ($other{$fd}, $fd) {
    close($handle{$one});
    delete $_->{$one} for \(%handle, %other, %rest, %ended);
  }
}
