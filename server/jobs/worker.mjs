// Worker threads do not inherit the TypeScript loader. This file registers it and then imports the worker
// file.
import { workerData } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
await import(workerData.file)
