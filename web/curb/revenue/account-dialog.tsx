import { Select, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeCurbAccount,
  createCurbAccount,
  type CurbAccount,
  curbAccountKinds,
  getCurbRevenueTotals,
  getFullCurbRevenue,
  listCurbAccounts,
} from '#contract/curb-revenue.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useRegion } from '#web/shell/region.tsx'

interface Props {
  /** Null to create an account. */
  account: CurbAccount | null
  onClose: () => void
}

/** Derives an account id from a name: ASCII letters, digits and hyphens. */
const toSlug = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60)

/** Creates or edits an account with the operators and vehicles that it pays for. */
export function AccountDialog({ account, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const [name, setName] = useState(account?.name ?? '')
  const [kind, setKind] = useState(account?.kind ?? 'fleet')
  const [operators, setOperators] = useState<string[]>(account?.operator_names ?? [])
  const [plates, setPlates] = useState('')
  const affectedQueries = [listCurbAccounts, getCurbRevenueTotals, getFullCurbRevenue]
  const create = useEndpointMutation(createCurbAccount, affectedQueries)
  const change = useEndpointMutation(changeCurbAccount, affectedQueries)
  const { error, isPending } = account ? change : create
  const issues = getFieldIssues(error)
  const typedPlates = plates
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const body = {
    name: name.trim(),
    kind,
    operator_names: operators,
    vehicles: typedPlates.length ? typedPlates.map((value) => ({ kind: 'plate' as const, value })) : null,
  }
  const handlers = {
    onSuccess: () => {
      showToast(t('curb:revenue.account.saved', { name: body.name }))
      onClose()
    },
  }
  return (
    <FormDialog
      title={t(account ? 'curb:revenue.account.edit' : 'curb:revenue.account.add')}
      action={t('curb:revenue.account.save')}
      isPending={isPending}
      isDisabled={!body.name}
      error={error}
      errorTitle={t('curb:revenue.account.failed')}
      onSubmit={() => {
        const params = { region_id: regionId }
        if (account) change.mutate({ params: { ...params, account_id: account.account_id }, body }, handlers)
        else create.mutate({ params, body: { ...body, account_id: toSlug(body.name) } }, handlers)
      }}
      onClose={onClose}
    >
      <TextInput
        label={t('curb:revenue.account.name')}
        required
        maxLength={200}
        value={name}
        error={issues.get('name') ?? issues.get('account_id')}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('curb:revenue.account.kind')}
        allowDeselect={false}
        data={curbAccountKinds.map((value) => ({ value, label: t(`curb:revenue.account.kinds.${value}`) }))}
        value={kind}
        onChange={(value) => setKind(curbAccountKinds.find((candidate) => candidate === value) ?? 'fleet')}
      />
      <TagsInput
        label={t('curb:revenue.account.operators')}
        description={t('curb:revenue.account.operatorsHint')}
        value={operators}
        error={issues.get('operator_names')}
        onChange={setOperators}
      />
      <Textarea
        label={t('curb:revenue.account.plates')}
        description={t('curb:revenue.account.platesHint', { count: account?.vehicles ?? 0 })}
        autosize
        minRows={2}
        maxRows={8}
        value={plates}
        error={issues.get('vehicles')}
        onChange={(event) => setPlates(event.currentTarget.value)}
      />
    </FormDialog>
  )
}
