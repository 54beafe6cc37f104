// Words of the fleet as they travel. What is not written exactly so is refused. Owns: nothing.
import * as z from "zod";

export const HostId = z.string().regex(/^h_[0-9a-z]{8}$/);
export const DeviceId = z.string().regex(/^d_[0-9a-z]{8}$/);
/** No @ and no invisible characters: it stands behind the name of whoever acts, as in agent:claude@laptop. */
export const DeviceName = z.string().regex(/^[\w.-]{1,40}$/);
export const Role = z.enum(["person", "agent", "host"]);
/** New at each start of a daemon, and for each request. */
export const Random = z.string().regex(/^[\w-]{22}$/);
/** Ed25519 or X25519: 32 bytes. */
export const PublicKey = z.string().regex(/^[\w-]{43}$/);
export const Ms = z.int().min(0);
export const Count = z.int().min(0);

export type Role = z.output<typeof Role>;
