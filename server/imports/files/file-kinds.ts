import type { FileKind } from './file-kind.ts'
import { issueFiles } from './issue-files.ts'
import { snapshotFiles } from './snapshot-files.ts'
import { weatherFiles } from './weather-files.ts'

/** The kinds of files besides trips, most specific first. */
export const fileKinds: readonly FileKind[] = [snapshotFiles, weatherFiles, issueFiles]

/** Finds a kind of file; undefined for trips. */
export const findFileKind = (kind: string): FileKind | undefined =>
  fileKinds.find((fileKind) => fileKind.kind === kind)
