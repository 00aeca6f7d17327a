import type { FileKind } from './file-kind.ts'
import { issueFiles } from './issue-files.ts'
import { snapshotFiles } from './snapshot-files.ts'
import { weatherFiles } from './weather-files.ts'

/** Kinds of files beside trips, the most telling first. */
export const fileKinds: readonly FileKind[] = [snapshotFiles, weatherFiles, issueFiles]

export const fileKindOf = (kind: string): FileKind | undefined => fileKinds.find((each) => each.kind === kind)
