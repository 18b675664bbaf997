------------------------- MODULE HwBeforeTruncation -------------------------
(***************************************************************************)
(* KAFKA-14704: up to 3.4.0 a follower that is told to cut took the        *)
(* leader's high watermark first. Where one cut is not enough, because the *)
(* logs share only an older epoch, the high watermark then covers records  *)
(* that the next fetch will cut. A consumer that reads from this follower  *)
(* sees what was never committed.                                          *)
(***************************************************************************)
EXTENDS MC
=============================================================================
