----------------------- MODULE OldFormatWithoutCache ------------------------
(***************************************************************************)
(* The mend of KAFKA-7897: while records are in the old format there is no *)
(* epoch cache. Then a follower cuts to its own high watermark, as up to   *)
(* 0.10.2, and the data loss on fast restart is back.                      *)
(***************************************************************************)
EXTENDS MC
=============================================================================
