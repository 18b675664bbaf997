------------------------------ MODULE Liveness ------------------------------
(***************************************************************************)
(* What must happen in the end.                                            *)
(*                                                                         *)
(* Nothing happens by itself in the other modules: a replica may stand     *)
(* still for ever.  Here those steps that a running Kafka takes sooner or  *)
(* later are taken (weak fairness), each for its own reason.  Faults,      *)
(* elections and clients owe us nothing.                                   *)
(***************************************************************************)
EXTENDS MC

vars == P!vars

\* A fetcher thread runs in a loop, a request is handled or times out, and so is a reply.
FetchersRun ==
    \A f \in Replicas :
        /\ WF_vars(SendFetch(f)) /\ WF_vars(SendOffsetsForLeaderEpoch(f))
        /\ WF_vars(HandleFetchResponse(f)) /\ WF_vars(HandleOffsetsForLeaderEpochResponse(f))
        /\ \A l \in Replicas : WF_vars(HandleFetch(l, f)) /\ WF_vars(HandleOffsetsForLeaderEpoch(l, f))

\* The controller sends LeaderAndIsr until it is answered (metadata is fetched until it is there), and of the newest
\* election nothing newer can take away the news.
NewsArrives ==
    \A r \in Replicas, e \in Epochs : WF_vars(BecomeLeader(r, e)) /\ WF_vars(BecomeFollower(r, e))

\* Every replica.lag.time.max.ms a leader looks for followers that lag.  It may not find one that is fetching: a follower
\* that could be taken out at every moment need not be.
LagIsNoticed == \A l, f \in Replicas : WF_vars(ShrinkIsr(l, f) /\ ~P!Alive(f))

\* The controller answers.
ControllerAnswers == \A l \in Replicas : WF_vars(AlterPartition(l)) /\ WF_vars(HandleAlterPartitionResponse(l))

\* A leader looks whether a follower may join whenever it handles its fetch: enabled again and again, not all the time.
JoinsAreNoticed == \A l, f \in Replicas : SF_vars(ExpandIsr(l, f))

LivelySpec == Init /\ [][Next]_vars /\ FetchersRun /\ NewsArrives /\ LagIsNoticed /\ ControllerAnswers

LivelySpecWithJoins == LivelySpec /\ JoinsAreNoticed

\* A follower whose leader is there for good, as far as both know.
IsFollowing(f) == role[f] = "follower" /\ P!IsElectedLeader(leader[f]) /\ leaderEpoch[f] = controller.epoch

\* It gets through its truncation.
TruncationEndsProp ==
    \A f \in Replicas :
        (IsFollowing(f) /\ fetchState[f] = "truncating") ~> ~(IsFollowing(f) /\ fetchState[f] = "truncating")

\* It comes to have its leader's log.
CatchesUpProp ==
    \A f \in Replicas : IsFollowing(f) ~> (~IsFollowing(f) \/ log[f] = log[leader[f]])

\* A producer that waits for the high watermark at a leader that stays is answered.  (One that waits at a zombie times out.)
ProducersAreAnsweredProp ==
    \A l \in Replicas : \A o \in 0 .. MaxRecords - 1 :
        (P!IsElectedLeader(l) /\ o \in pending[l]) ~> ~(P!IsElectedLeader(l) /\ o \in pending[l])

\* A follower that follows for good is in sync for good.
JoinsIsrProp ==
    \A f \in Replicas : IsFollowing(f) ~> (~IsFollowing(f) \/ f \in isr[leader[f]])
=============================================================================
