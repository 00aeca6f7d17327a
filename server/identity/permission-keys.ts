import { type PermissionKey, permissionKeys } from '#contract/permission.ts'

/** The permission keys in a stored, space-separated text; unknown ones count as off (1-product, section 5). */
export const parsePermissionKeys = (text: string): PermissionKey[] => {
  const parts = text.split(' ')
  return permissionKeys.filter((key) => parts.includes(key))
}

/** How keys are stored. */
export const formatPermissionKeys = (keys: readonly PermissionKey[]): string =>
  permissionKeys.filter((key) => keys.includes(key)).join(' ')
