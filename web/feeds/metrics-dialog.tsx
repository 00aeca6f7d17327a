import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ManagedOperator } from '#contract/managed-operators.ts'
import {
  listMetricsTokens,
  makeMetricsToken,
  type MetricsToken,
  revokeMetricsToken,
} from '#contract/mds-metrics.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { CopyField } from '#web/kit/copy-field.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { Warning } from '#web/kit/warning.tsx'

interface Props {
  regionId: string
  zone: string
  operators: readonly ManagedOperator[]
  onClose: () => void
}

/** The address of MDS Metrics of a region, and the tokens with which they are read; a new one is shown once. */
export function MetricsDialog({ regionId, zone, operators, onClose }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [operator, setOperator] = useState<string | null>(null)
  const params = { region_id: regionId }
  const tokens = useEndpointQuery(listMetricsTokens, { params }, { staleTime: 0 })
  const make = useEndpointMutation(makeMetricsToken, [listMetricsTokens])
  const revoke = useEndpointMutation(revokeMetricsToken, [listMetricsTokens])
  const error = make.error ?? revoke.error
  const nameOf = (slug: string | null): string =>
    slug === null ? t('feeds:metrics.all') : (operators.find((each) => each.slug === slug)?.name ?? slug)
  const moment = (time: string | null): string => (time ? formatDateTime(time, zone) : t('feeds:never'))
  const columns: TableColumn<MetricsToken>[] = [
    { key: 'name', title: t('feeds:metrics.name'), width: 170, value: (token) => token.name },
    {
      key: 'reads',
      title: t('feeds:metrics.reads'),
      width: 150,
      value: (token) => nameOf(token.operator),
    },
    { key: 'hint', title: t('feeds:token.hint'), width: 100, value: ({ hint }) => `…${hint}` },
    {
      key: 'made',
      title: t('feeds:token.made'),
      width: 160,
      value: ({ createdTime }) => createdTime,
      renderCell: ({ createdTime }) => moment(createdTime),
    },
    {
      key: 'used',
      title: t('feeds:token.used'),
      width: 160,
      value: ({ lastUsedTime }) => lastUsedTime,
      renderCell: ({ lastUsedTime }) => moment(lastUsedTime),
    },
    {
      key: 'actions',
      title: t('feeds:token.actions'),
      width: 130,
      isActions: true,
      value: () => null,
      renderCell: ({ tokenId, hint, revokedTime }) =>
        revokedTime ? (
          <Text size="sm" c="dimmed">
            {t('feeds:token.revoked')}
          </Text>
        ) : (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={t('feeds:token.revokeOf', { hint })}
            loading={revoke.isPending && revoke.variables.params.token_id === tokenId}
            onClick={() => revoke.mutate({ params: { ...params, token_id: tokenId } })}
          >
            {t('feeds:token.revoke')}
          </Button>
        ),
    },
  ]
  return (
    <Dialog size={960} title={t('feeds:metrics.title')} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('feeds:metrics.text')}
        </Text>
        {tokens.data ? <CopyField label={t('feeds:metrics.url')} value={tokens.data.url} /> : null}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            make.mutate({ params, body: { name: name.trim(), operator } }, { onSuccess: () => setName('') })
          }}
        >
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t('feeds:metrics.name')}
              description={t('feeds:metrics.nameHint')}
              value={name}
              maxLength={120}
              required
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label={t('feeds:metrics.reads')}
              description={t('feeds:metrics.readsHint')}
              allowDeselect={false}
              data={[
                { value: '', label: t('feeds:metrics.all') },
                ...operators.map(({ slug, name: label }) => ({ value: slug, label })),
              ]}
              value={operator ?? ''}
              onChange={(value) => setOperator(value || null)}
            />
            <Button
              type="submit"
              leftSection={<IconKey size={16} />}
              loading={make.isPending}
              disabled={!name.trim()}
            >
              {t('feeds:token.make')}
            </Button>
          </Group>
        </form>
        {make.data ? (
          <>
            <Warning title={t('feeds:token.once')} />
            <CopyField label={t('feeds:token.token')} value={make.data.token} />
          </>
        ) : null}
        {error ? <FailedState error={error} title={t('feeds:failed.token')} /> : null}
        <Loaded
          of={tokens}
          isEmpty={(found) => found.items.length === 0}
          empty={<EmptyState title={t('feeds:token.empty.title')}>{t('feeds:metrics.emptyText')}</EmptyState>}
        >
          {({ items }) => (
            <Table
              label={t('feeds:metrics.title')}
              rows={items}
              columns={columns}
              rowKey={({ tokenId }) => tokenId}
              maxHeight={320}
            />
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}
