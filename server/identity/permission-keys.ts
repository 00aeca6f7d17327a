import { type PermissionKey, permissionKeys } from '#contract/permission.ts'

/** Parses space-separated permission keys, as stored; ignores unknown ones. */
export const parsePermissionKeys = (text: string): PermissionKey[] => {
  const keys = text.split(' ')
  return permissionKeys.filter((key) => keys.includes(key))
}

/** Formats permission keys for storage, separated by spaces. */
export const formatPermissionKeys = (keys: readonly PermissionKey[]): string =>
  permissionKeys.filter((key) => keys.includes(key)).join(' ')
