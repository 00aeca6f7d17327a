import type { ManagedOperator } from '#contract/managed-operators.ts'

/** An operator as the form holds it. */
export interface OperatorDraft {
  slug: string
  name: string
  colorHex: string
  /** Empty: none. */
  providerId: string
}

export const emptyOperator = (colorHex: string): OperatorDraft => ({
  slug: '',
  name: '',
  colorHex,
  providerId: '',
})

export const operatorDraftOf = ({ slug, name, colorHex, providerId }: ManagedOperator): OperatorDraft => ({
  slug,
  name,
  colorHex,
  providerId: providerId ?? '',
})

/** A name as the short name in addresses and data: `Swift Bikes!` is `swift-bikes`. */
export const slugOfName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 60)
    .replace(/-$/, '')

/** What the draft asks the server for. */
export const operatorAskOf = ({ slug, name, colorHex, providerId }: OperatorDraft) => ({
  slug: slug.trim(),
  name: name.trim(),
  colorHex,
  providerId: providerId.trim().toLowerCase() || null,
})
