-------------------------- MODULE EpochCacheModel --------------------------
(***************************************************************************)
(* An epoch cache by itself: what Kafka's LeaderEpochFileCache does since  *)
(* 2.0.1, within small bounds.  The examples here are held against it.     *)
(***************************************************************************)
EXTENDS Integers, Sequences, EpochCache

CONSTANTS MaxEpoch, MaxOffset

VARIABLES
    cache,      \* entries [epoch, start], oldest first
    leo,        \* the log end offset
    answer      \* to the last question: [epoch, endOffset]

Epochs == 1 .. MaxEpoch

Init == cache = <<>> /\ leo = 0 /\ answer = NoAnswer

\* A record of this epoch is appended.
Write(e) ==
    /\ leo < MaxOffset
    /\ e >= LatestEpoch(cache)
    /\ cache' = Assign("replace", cache, e, leo)
    /\ leo' = leo + 1
    /\ UNCHANGED answer

\* The log is cut to end at this offset.
Truncate(offset) ==
    /\ offset < leo
    /\ cache' = TruncateFromEnd(cache, offset)
    /\ leo' = offset
    /\ UNCHANGED answer

\* Where does this epoch end?
Ask(e) ==
    /\ answer' = EndOffsetFor("floorOrFirstStart", TRUE, cache, leo, e)
    /\ UNCHANGED <<cache, leo>>

Next ==
    \/ \E e \in Epochs : Write(e)
    \/ \E offset \in 0 .. MaxOffset : Truncate(offset)
    \/ \E e \in Epochs \cup {Undefined} : Ask(e)
=============================================================================
