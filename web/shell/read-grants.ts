import { permissionKeys, type PermissionKey } from '#contract/permission.ts'

interface Read {
  can: (key: PermissionKey) => boolean
  /** Keys that the server named and we do not know, and those that we know and it did not name: all count as off. */
  unknown: string[]
}

const isKnown = (key: string): key is PermissionKey => permissionKeys.some((known) => known === key)

/** What the list of permissions lets a viewer do (1-product, section 5). */
export function readGrants(grants: readonly { key: string; enabled: boolean }[]): Read {
  const held = new Set(
    grants.filter((grant) => grant.enabled && isKnown(grant.key)).map((grant) => grant.key),
  )
  const named = new Set(grants.map((grant) => grant.key))
  return {
    can: (key) => held.has(key),
    unknown: [
      ...[...named].filter((key) => !isKnown(key)),
      ...permissionKeys.filter((key) => !named.has(key)),
    ],
  }
}
