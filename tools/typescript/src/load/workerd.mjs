// workerd compiles no bytes at run time: the module is part of the worker, compiled when it is deployed.
import module from "../stanchion.wasm";

export function load() {
  return module;
}
