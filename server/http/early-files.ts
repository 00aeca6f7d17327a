import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** Parts of the web app that every page of a signed-in user loads (scripts/build/web-chunks.ts). */
const signedInParts: readonly string[] = ['sign-in', 'linked', 'frame', 'common', 'room-texts']

/** Vite's manifest: the built files, by source file or part. */
const Manifest = z.record(
  z.string(),
  z.object({ file: z.string(), name: z.string().optional(), css: z.array(z.string()).optional() }),
)

/**
 * Creates a `Link` header that preloads the files which a browser would otherwise discover one after another;
 * '' if the build has no manifest. It is not sent with the sign-in page.
 */
export function createEarlyFilesHeader(webRoot: string): string {
  const manifestFile = path.join(webRoot, '.vite', 'manifest.json')
  if (!fs.existsSync(manifestFile)) return ''
  const manifest = Manifest.parse(JSON.parse(fs.readFileSync(manifestFile, 'utf8')))
  const parts = Object.values(manifest).filter(({ name }) => signedInParts.includes(name ?? ''))
  return parts
    .flatMap(({ file, css = [] }) => [
      `</${file}>; rel=modulepreload`,
      ...css.map((cssFile) => `</${cssFile}>; rel=preload; as=style; crossorigin`),
    ])
    .join(', ')
}

/** Returns whether a request has a session cookie, valid or not. */
export const hasSessionCookie = (cookies = ''): boolean =>
  /(^|;\s*)(__Secure-)?publicway\.session_token=/.test(cookies)
