/** The compiled module, as this runtime loads it. Throws if it cannot be loaded. */
export declare function load(): WebAssembly.Module;
