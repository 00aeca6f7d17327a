import { type PermissionKey, permissionKeys } from '#contract/permission.ts'

/** Parses stored, space-separated permission keys; unknown ones are ignored. */
export const parsePermissionKeys = (text: string): PermissionKey[] => {
  const keys = text.split(' ')
  return permissionKeys.filter((key) => keys.includes(key))
}

/** Formats permission keys as they are stored. */
export const formatPermissionKeys = (keys: readonly PermissionKey[]): string =>
  permissionKeys.filter((key) => keys.includes(key)).join(' ')
