import { Button, Stack, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import {
  type AgencyToken,
  type Feed,
  listAgencyTokens,
  makeAgencyToken,
  revokeAgencyToken,
} from '#contract/feeds.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Table } from '#web/kit/table/table.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Warning } from '#web/kit/warning.tsx'
import { CopyField } from '#web/kit/copy-field.tsx'
import { getTokenColumns } from '#web/shell/access-tokens-dialog.tsx'

interface Props {
  feed: Feed
  timezone: string
  onClose: () => void
}

/** Tokens with which an operator pushes to a feed; a new one is shown once. */
export function TokensDialog({ feed, timezone, onClose }: Props) {
  const { t } = useTranslation()
  const params = { region_id: feed.regionId, feed_id: feed.feedId }
  const tokens = useEndpointQuery(listAgencyTokens, { params }, { staleTime: 0 })
  const makeToken = useEndpointMutation(makeAgencyToken, [listAgencyTokens])
  const revoke = useEndpointMutation(revokeAgencyToken, [listAgencyTokens])
  const error = makeToken.error ?? revoke.error
  const [hintColumn, madeColumn, ...otherColumns] = getTokenColumns<AgencyToken>(t, timezone, {
    pendingId: revoke.isPending ? revoke.variables.params.token_id : null,
    revoke: (tokenId) => revoke.mutate({ params: { ...params, token_id: tokenId } }),
  })
  const byColumn: TableColumn<AgencyToken> = column('by', t('feeds:token.by'), ({ createdBy }) => createdBy, {
    width: 200,
  })
  const columns = [hintColumn, madeColumn, byColumn, ...otherColumns].filter((item) => item !== undefined)
  const addButton = (
    <Button
      leftSection={<IconKey size={16} />}
      loading={makeToken.isPending}
      onClick={() => makeToken.mutate({ params })}
    >
      {t('shell:tokens.make')}
    </Button>
  )
  return (
    <Dialog size={880} title={t('feeds:token.title', { name: feed.name })} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('feeds:token.text')}
        </Text>
        {makeToken.data ? (
          <>
            <Warning title={t('shell:tokens.once')} />
            <CopyField label={t('shell:tokens.token')} value={makeToken.data.token} />
          </>
        ) : null}
        {error ? <FailedState error={error} title={t('feeds:failed.token')} /> : null}
        <Loaded
          query={tokens}
          isEmpty={(data) => data.length === 0}
          empty={
            <EmptyState title={t('feeds:token.empty.title')} action={addButton}>
              {t('feeds:token.empty.text')}
            </EmptyState>
          }
        >
          {(data) => (
            <Stack gap="sm">
              <Table
                label={t('feeds:token.title', { name: feed.name })}
                rows={data}
                columns={columns}
                rowKey={({ tokenId }) => tokenId}
                maxHeight={320}
              />
              <div>{addButton}</div>
            </Stack>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}
