--------------------------- MODULE NoHwOnIsrReply ---------------------------
(***************************************************************************)
(* KAFKA-13091: the high watermark waits for a replica that is dead. When  *)
(* the controller confirms that it is out of the ISR nobody looks at the   *)
(* high watermark, and without another write the producer waits for ever.  *)
(***************************************************************************)
EXTENDS Liveness
=============================================================================
