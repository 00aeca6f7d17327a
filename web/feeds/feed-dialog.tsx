import { Button, Stack } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  changeFeed,
  createFeed,
  type Feed,
  listFeeds,
  listMdsOperators,
  pushedKinds,
  testFeed,
} from '#contract/feeds.ts'
import { listManagedOperators } from '#contract/managed-operators.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { getFieldIssues } from '#web/data/api-error.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { DialogFoot } from '#web/kit/dialog-foot.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { AuthFields } from './auth-fields.tsx'
import { createEmptyFeed, toFeedRequest, toFeedDraft, listKinds, type FeedDraft } from './feed-draft.ts'
import { FeedFields } from './feed-fields.tsx'
import { TestResults } from './test-results.tsx'

interface Props {
  regionId: string
  /** Null for a feed without an operator. */
  operator: { slug: string; name: string } | null
  /** Null to create a feed. */
  feed: Feed | null
  onClose: () => void
}

/** Creates or edits a feed. */
export function FeedDialog({ regionId, operator, feed, onClose }: Props) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() =>
    feed
      ? toFeedDraft(feed)
      : createEmptyFeed(
          listKinds(operator?.slug ?? null)[0] ?? 'mds_provider',
          operator?.slug ?? null,
          operator?.name ?? '',
        ),
  )
  const affectedQueries = [listFeeds, listManagedOperators, listMdsOperators]
  const create = useEndpointMutation(createFeed, affectedQueries)
  const change = useEndpointMutation(changeFeed, affectedQueries)
  const test = useEndpointMutation(testFeed)
  const error = create.error ?? change.error
  const issues = getFieldIssues(error ?? test.error)
  const updateDraft = (changes: Partial<FeedDraft>) => setDraft({ ...draft, ...changes })
  const feedRequest = toFeedRequest(draft)
  const isPushed = pushedKinds.includes(draft.kind)
  const save = () => {
    if (!feedRequest) return
    const { kind: _kind, ...body } = feedRequest
    if (feed)
      change.mutate({ params: { region_id: regionId, feed_id: feed.feedId }, body }, { onSuccess: onClose })
    else create.mutate({ params: { region_id: regionId }, body: feedRequest }, { onSuccess: onClose })
  }
  const handleTest = () =>
    feedRequest &&
    test.mutate({
      params: { region_id: regionId },
      body: { feed_id: feed?.feedId ?? null, feed: { ...feedRequest, name: feedRequest.name || draft.kind } },
    })
  const addTitle = operator ? t('feeds:feed.addTo', { name: operator.name }) : t('feeds:feed.addCity')
  return (
    <Dialog
      size={720}
      title={feed ? t('feeds:feed.change', { name: feed.name }) : addTitle}
      onClose={onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Stack gap="md">
          <FeedFields draft={draft} isNew={feed === null} issues={issues} onChange={setDraft} />
          {isPushed ? null : (
            <AuthFields draft={draft} stored={feed?.auth ?? null} errors={issues} onChange={updateDraft} />
          )}
          {isPushed ? null : (
            <div>
              <Button
                variant="default"
                leftSection={<IconFlask size={18} />}
                loading={test.isPending}
                disabled={!feedRequest || !draft.url}
                onClick={handleTest}
              >
                {t('feeds:test.now')}
              </Button>
            </div>
          )}
          {test.error ? <FailedState error={test.error} title={t('feeds:failed.test')} /> : null}
          {test.data ? <TestResults tests={test.data} /> : null}
          {error ? <FailedState error={error} title={t('feeds:failed.feed')} /> : null}
        </Stack>
        <DialogFoot
          action={t(feed ? 'kit:save' : 'feeds:feed.create')}
          isPending={create.isPending || change.isPending}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}
