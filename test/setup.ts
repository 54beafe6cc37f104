// Property tests draw from a fixed seed, so that a run says the same today and tomorrow; FC_SEED=n explores others.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 20_261_115) });
