import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#web/data/api-error.ts'
import { CopyField } from '#web/kit/copy-field.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Warning } from '#web/kit/warning.tsx'

/** A token that gives read access to an API. */
export interface AccessToken {
  tokenId: string
  name: string
  /** Last characters of the token. */
  hint: string
  createdTime: string
  expiresTime: string | null
  lastUsedTime: string | null
  revokedTime: string | null
}

interface Revoking {
  /** The token that is being revoked. */
  pendingId: string | null
  revoke: (tokenId: string) => void
}

/** Columns that all tables of tokens have: last characters, times, and the button that revokes. */
export function getTokenColumns<T extends Omit<AccessToken, 'name'>>(
  t: TFunction,
  timezone: string,
  { pendingId, revoke }: Revoking,
): TableColumn<T>[] {
  const formatOrNever = (time: string | null): string =>
    time ? formatDateTime(time, timezone) : t('shell:tokens.never')
  return [
    column('hint', t('shell:tokens.hint'), ({ hint }) => `…${hint}`, { width: 100 }),
    column('made', t('shell:tokens.made'), ({ createdTime }) => createdTime, {
      width: 160,
      renderCell: ({ createdTime }) => formatOrNever(createdTime),
    }),
    column('used', t('shell:tokens.used'), ({ lastUsedTime }) => lastUsedTime, {
      width: 160,
      renderCell: ({ lastUsedTime }) => formatOrNever(lastUsedTime),
    }),
    column('expires', t('shell:tokens.expires'), ({ expiresTime }) => expiresTime, {
      width: 160,
      renderCell: ({ expiresTime }) => formatOrNever(expiresTime),
    }),
    column('actions', t('shell:tokens.actions'), () => null, {
      width: 130,
      isActions: true,
      renderCell: ({ tokenId, hint, revokedTime }) =>
        revokedTime ? (
          <Text size="sm" c="dimmed">
            {t('shell:tokens.revoked')}
          </Text>
        ) : (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={t('shell:tokens.revokeOf', { hint })}
            loading={pendingId === tokenId}
            onClick={() => revoke(tokenId)}
          >
            {t('shell:tokens.revoke')}
          </Button>
        ),
    }),
  ]
}

interface Props<T extends AccessToken> {
  title: string
  text: string
  emptyText: string
  timezone: string
  urls: readonly { label: string; value: string }[]
  tokens: {
    data: { items: readonly T[] } | undefined
    error: ApiError | null
    isLoading: boolean
    isFetching: boolean
    refetch: () => unknown
  }
  /** What a token may read: the options for a new one, and the text of a column. */
  reads: {
    description: string
    options: readonly { value: string; label: string }[]
    getText: (token: T) => string
  }
  creation: {
    /** The new token; undefined before one is created. */
    token: string | undefined
    error: ApiError | null
    isPending: boolean
    /** Creates a token, then calls `onCreated`. */
    create: (name: string, reads: string, onCreated: () => void) => void
  }
  revoking: Revoking & { error: ApiError | null }
  onClose: () => void
}

/** The URLs of an API of a region, and the tokens that give access to it. A new token is shown once. */
export function AccessTokensDialog<T extends AccessToken>({
  title,
  text,
  emptyText,
  timezone,
  urls,
  tokens,
  reads,
  creation,
  revoking,
  onClose,
}: Props<T>) {
  const { t } = useTranslation()
  const [name, setName] = useState('')
  const [selectedRead, setSelectedRead] = useState(reads.options[0]?.value ?? '')
  const error = creation.error ?? revoking.error
  const columns: TableColumn<T>[] = [
    column('name', t('shell:tokens.name'), (token) => token.name, { width: 170 }),
    column('reads', t('shell:tokens.reads'), (token) => reads.getText(token), { width: 150 }),
    ...getTokenColumns(t, timezone, revoking),
  ]
  return (
    <Dialog size={960} title={title} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {text}
        </Text>
        {urls.map(({ label, value }) => (
          <CopyField key={value} label={label} value={value} />
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault()
            creation.create(name.trim(), selectedRead, () => setName(''))
          }}
        >
          <Group align="flex-end" gap="sm">
            <TextInput
              label={t('shell:tokens.name')}
              description={t('shell:tokens.nameHint')}
              value={name}
              maxLength={120}
              required
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label={t('shell:tokens.reads')}
              description={reads.description}
              allowDeselect={false}
              data={[...reads.options]}
              value={selectedRead}
              onChange={(value) => setSelectedRead(value ?? '')}
            />
            <Button
              type="submit"
              leftSection={<IconKey size={16} />}
              loading={creation.isPending}
              disabled={!name.trim()}
            >
              {t('shell:tokens.make')}
            </Button>
          </Group>
        </form>
        {creation.token === undefined ? null : (
          <>
            <Warning title={t('shell:tokens.once')} />
            <CopyField label={t('shell:tokens.token')} value={creation.token} />
          </>
        )}
        {error ? <FailedState error={error} title={t('shell:tokens.failed')} /> : null}
        <Loaded
          query={tokens}
          isEmpty={(data) => data.items.length === 0}
          empty={<EmptyState title={t('shell:tokens.empty')}>{emptyText}</EmptyState>}
        >
          {({ items }) => (
            <Table
              label={title}
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
