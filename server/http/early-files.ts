import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** Parts of the web app that every page of a signed-in user loads (scripts/build/web-parts.ts), and their texts. */
const signedInParts: readonly string[] = ['sign-in', 'linked', 'frame', 'common', 'room-texts']

/** What the build lists, by source or part. */
const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), name: z.string().optional(), css: z.array(z.string()).optional() }),
)

/**
 * A `Link` header with the files of the parts that a browser would otherwise find one after another; '' if the build has no list of
 * its files. The sign-in page is without them.
 */
export function earlyFiles(webRoot: string): string {
  const list = path.join(webRoot, '.vite', 'manifest.json')
  if (!fs.existsSync(list)) return ''
  const parts = Object.values(Manifest.parse(JSON.parse(fs.readFileSync(list, 'utf8')))).filter(({ name }) =>
    signedInParts.includes(name ?? ''),
  )
  return parts
    .flatMap(({ file, css = [] }) => [
      `</${file}>; rel=modulepreload`,
      ...css.map((each) => `</${each}>; rel=preload; as=style; crossorigin`),
    ])
    .join(', ')
}

/** Whether a request for a page comes with a session, valid or not. */
export const hasSessionCookie = (cookies = ''): boolean =>
  /(^|;\s*)(__Secure-)?publicway\.session_token=/.test(cookies)
