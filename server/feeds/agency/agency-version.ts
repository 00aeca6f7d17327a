import { type MdsVersion, mdsVersions } from '#server/ingest/mds/mds-context.ts'
import { AgencyError } from './agency-error.ts'

/** The versions that a header of media types names, in their order. */
const namedIn = (header: string | undefined): string[] =>
  [...(header ?? '').matchAll(/;\s*version\s*=\s*"?([^\s";,]*)"?/gi)].map(([, version = '']) => version)

const isServed = (version: string): version is MdsVersion =>
  (mdsVersions as readonly string[]).includes(version)

/**
 * The version of MDS that a request speaks: by its Accept header, else by its Content-Type; without a word, the newest. Versions are
 * named without their patch. Throws 406 for one that is not served.
 */
export function agencyVersion(accept: string | undefined, contentType: string | undefined): MdsVersion {
  const [accepted, sent] = [namedIn(accept), namedIn(contentType)]
  const strange =
    accepted.length && !accepted.some(isServed) ? accepted : sent.filter((each) => !isServed(each))
  if (strange.length)
    throw new AgencyError(
      406,
      'unsupported_version',
      `This version of MDS is not served here; ${mdsVersions.join(' and ')} are.`,
      [...mdsVersions],
    )
  return accepted.find(isServed) ?? sent.find(isServed) ?? mdsVersions[0]
}
