import type { Viewer, FindViewer } from '#server/http/viewer.ts'

/** Whether the viewer of a stream is still signed in, with the same regions and operators. */
export async function canViewRegion(
  findViewer: FindViewer,
  headers: Headers,
  { userId, scope }: Viewer,
  regionId: string,
): Promise<boolean> {
  const viewer = await findViewer(headers)
  if (!viewer || viewer.userId !== userId || viewer.mfaEnrollmentRequired) return false
  return (
    viewer.scope.regionIds?.includes(regionId) === true &&
    viewer.scope.organizationId === scope.organizationId &&
    String(viewer.scope.operators) === String(scope.operators)
  )
}
