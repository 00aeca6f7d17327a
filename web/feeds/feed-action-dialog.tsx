import { useTranslation } from 'react-i18next'
import { changeFeed, deleteFeed, type Feed, listFeeds, listMdsOperators } from '#contract/feeds.ts'
import { listManagedOperators } from '#contract/managed-operators.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { showToast } from '#web/kit/toasts.tsx'

interface Props {
  action: 'switch' | 'remove'
  feed: Feed
  onClose: () => void
}

/** Asks to confirm that a feed is removed, or switched on or off. */
export function FeedActionDialog({ action, feed, onClose }: Props) {
  const { t } = useTranslation()
  const affectedQueries = [listFeeds, listManagedOperators, listMdsOperators]
  const change = useEndpointMutation(changeFeed, affectedQueries)
  const remove = useEndpointMutation(deleteFeed, affectedQueries)
  const params = { region_id: feed.regionId, feed_id: feed.feedId }
  const key = action === 'remove' ? 'remove' : feed.enabled ? 'off' : 'on'
  const confirm = () =>
    action === 'remove'
      ? remove.mutate(
          { params },
          {
            onSuccess: () => {
              showToast(t('kit:did.deleted', { name: feed.name }))
              onClose()
            },
          },
        )
      : change.mutate({ params, body: { enabled: !feed.enabled } }, { onSuccess: onClose })
  return (
    <ConfirmDialog
      title={t(`feeds:confirm.${key}.title`, { name: feed.name })}
      action={t(`feeds:act.${key}`)}
      isDanger={key !== 'on'}
      isPending={change.isPending || remove.isPending}
      error={change.error ?? remove.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(`feeds:confirm.${key}.text`)}
    </ConfirmDialog>
  )
}
