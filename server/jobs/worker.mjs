// A worker thread does not inherit the loader of TypeScript: this plain file registers it, then starts the worker's own file.
import { workerData } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
await import(workerData.file)
