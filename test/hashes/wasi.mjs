// node wasi.mjs PROGRAM.wasm: runs a WASI program without arguments; its output and status are ours.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const wasi = new WASI({ version: 'preview1', args: ['program'], returnOnExit: true });
const program = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
