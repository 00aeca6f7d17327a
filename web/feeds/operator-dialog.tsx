import { ColorInput, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeOperator,
  createOperator,
  listManagedOperators,
  type ManagedOperator,
} from '#contract/managed-operators.ts'
import { listOperators } from '#contract/operators.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { dataColors } from '#web/kit/theme.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'

/** An operator as edited in the form. */
interface OperatorDraft {
  slug: string
  name: string
  colorHex: string
  /** Empty if there is none. */
  providerId: string
}

const createEmptyOperator = (colorHex: string): OperatorDraft => ({
  slug: '',
  name: '',
  colorHex,
  providerId: '',
})

const toOperatorDraft = ({ slug, name, colorHex, providerId }: ManagedOperator): OperatorDraft => ({
  slug,
  name,
  colorHex,
  providerId: providerId ?? '',
})

/** Returns the slug for a name, at most 60 characters: `Swift Bikes!` becomes `swift-bikes`. */
export const toSlug = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 60)
    .replace(/-$/, '')

/** Returns the request of the draft. */
export const toOperatorRequest = ({ slug, name, colorHex, providerId }: OperatorDraft) => ({
  slug: slug.trim(),
  name: name.trim(),
  colorHex,
  providerId: providerId.trim().toLowerCase() || null,
})

interface Props {
  /** Null to create an operator. */
  operator: ManagedOperator | null
  /** Colors of the other operators. */
  usedColors: readonly string[]
  onClose: () => void
}

const swatches = [...dataColors.light.categorical]

/** Creates or edits an operator. */
export function OperatorDialog({ operator, usedColors, onClose }: Props) {
  const { t } = useTranslation()
  const unusedColor =
    swatches.find((color) => !usedColors.some((used) => used.toLowerCase() === color.toLowerCase())) ??
    swatches[0] ??
    ''
  const [draft, setDraft] = useState(() =>
    operator ? toOperatorDraft(operator) : createEmptyOperator(unusedColor),
  )
  const create = useEndpointMutation(createOperator, [listManagedOperators, listOperators])
  const change = useEndpointMutation(changeOperator, [listManagedOperators, listOperators])
  const error = create.error ?? change.error
  const issues = getFieldIssues(error)
  const updateDraft = (changes: Partial<OperatorDraft>) => setDraft({ ...draft, ...changes })
  // The slug follows the name until the user edits it.
  const rename = (name: string) =>
    updateDraft(!operator && draft.slug === toSlug(draft.name) ? { name, slug: toSlug(name) } : { name })
  const save = () => {
    const { slug, ...body } = toOperatorRequest(draft)
    if (operator) change.mutate({ params: { slug }, body }, { onSuccess: onClose })
    else create.mutate({ body: { slug, ...body } }, { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={operator ? t('feeds:operator.change', { name: operator.name }) : t('feeds:operator.add')}
      onClose={onClose}
      action={t(operator ? 'kit:save' : 'feeds:operator.create')}
      isPending={create.isPending || change.isPending}
      error={error}
      errorTitle={t('feeds:failed.operator')}
      onSubmit={save}
    >
      <TextInput
        data-autofocus
        label={t('feeds:field.name')}
        required
        maxLength={120}
        error={issues.get('name')}
        value={draft.name}
        onChange={(event) => rename(event.currentTarget.value)}
      />
      <TextInput
        label={t('feeds:operator.slug')}
        description={t(operator ? 'feeds:operator.slugFixed' : 'feeds:operator.slugNote')}
        required
        readOnly={operator !== null}
        maxLength={60}
        pattern="[a-z0-9][a-z0-9_\-]*"
        error={issues.get('slug')}
        value={draft.slug}
        onChange={(event) => updateDraft({ slug: event.currentTarget.value })}
      />
      <ColorInput
        label={t('feeds:operator.color')}
        description={t('feeds:operator.colorNote')}
        required
        format="hex"
        swatches={swatches}
        error={issues.get('colorHex')}
        value={draft.colorHex}
        onChange={(colorHex) => updateDraft({ colorHex })}
        eyeDropperButtonProps={{ 'aria-label': t('feeds:operator.pick') }}
      />
      <TextInput
        label={t('feeds:operator.providerId')}
        description={t('feeds:operator.providerIdNote')}
        maxLength={36}
        pattern="[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
        title={t('feeds:operator.providerIdForm')}
        error={issues.get('providerId')}
        value={draft.providerId}
        onChange={(event) => updateDraft({ providerId: event.currentTarget.value.trim() })}
      />
    </FormDialog>
  )
}
