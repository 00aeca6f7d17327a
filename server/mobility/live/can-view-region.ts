import type { Viewer, FindViewer } from '#server/http/viewer.ts'

/** Whether whoever opened a stream may still see all that it tells: the same user, signed in, with the same regions and operators to see. */
export async function canViewRegion(
  viewerOf: FindViewer,
  headers: Headers,
  { userId, scope }: Viewer,
  regionId: string,
): Promise<boolean> {
  const viewer = await viewerOf(headers)
  if (!viewer || viewer.userId !== userId || viewer.mfaEnrollmentRequired) return false
  return (
    viewer.scope.regionIds?.includes(regionId) === true &&
    viewer.scope.organizationId === scope.organizationId &&
    String(viewer.scope.operators) === String(scope.operators)
  )
}
