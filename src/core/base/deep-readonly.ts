// A shape of the wire as the core hands it around: nobody may change any part of it.

export type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
