import type { DemoServer } from './demo-server.ts'

const version = '3.0'
const ttl = 60

/** Serves the files of a GBFS system below a path, and a gbfs.json that lists them. */
export const serveGbfsFiles =
  (base: string, files: Readonly<Record<string, (nowMs: number) => Record<string, unknown>>>): DemoServer =>
  ({ path, method, origin }, nowMs) => {
    if (method !== 'GET') return { status: 405 }
    const respond = (data: Record<string, unknown>) => ({
      status: 200,
      body: { last_updated: new Date(nowMs).toISOString(), ttl, version, data },
    })
    if (!path.startsWith(`${base}/`)) return { status: 404 }
    const file = path.slice(base.length + 1).replace(/\.json$/, '')
    if (file === 'gbfs')
      return respond({
        feeds: ['gbfs', ...Object.keys(files)].map((name) => ({
          name,
          url: `${origin}${base}/${name}.json`,
        })),
      })
    const data = Object.hasOwn(files, file) ? files[file] : undefined
    return data ? respond(data(nowMs)) : { status: 404 }
  }
