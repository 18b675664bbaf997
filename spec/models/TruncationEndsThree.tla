------------------------ MODULE TruncationEndsThree -------------------------
(***************************************************************************)
(* The mend of KAFKA-10706, in the bound of the bug: cutting no record     *)
(* still clears the epochs that begin at the log's end.                    *)
(***************************************************************************)
EXTENDS Liveness

\* It takes no more than that questions are asked, answered, and the answers taken.
AsksAreAnswered ==
    \A f \in Replicas :
        /\ WF_vars(SendOffsetsForLeaderEpoch(f)) /\ WF_vars(HandleOffsetsForLeaderEpochResponse(f))
        /\ \A l \in Replicas : WF_vars(HandleOffsetsForLeaderEpoch(l, f))

AskingSpec == Init /\ [][Next]_vars /\ AsksAreAnswered
=============================================================================
