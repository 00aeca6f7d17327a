import { Button, Loader, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Feed, type StreamTest, testFeed } from '#contract/feeds.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { endpointQueryKey } from '#web/data/query.ts'
import { Dialog } from '#web/kit/dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { TestResults } from './test-results.tsx'

/** Tests a stored feed as soon as the dialog opens; closing the dialog cancels the test. */
export function TestDialog({ feed, onClose }: { feed: Feed; onClose: () => void }) {
  const { t } = useTranslation()
  const input = { params: { region_id: feed.regionId }, body: { feed_id: feed.feedId } }
  const test = useQuery<StreamTest[], ApiError>({
    queryKey: endpointQueryKey(testFeed, input),
    queryFn: ({ signal }) => call(testFeed, input, { signal }),
    staleTime: 0,
    gcTime: 0,
  })
  return (
    <Dialog size={840} title={t('feeds:test.title', { name: feed.name })} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('feeds:test.text')}
        </Text>
        {test.isFetching ? (
          <Text role="status">
            <Loader size="xs" mr="sm" />
            {t('feeds:test.running')}
          </Text>
        ) : null}
        {test.error ? <FailedState error={test.error} title={t('feeds:failed.test')} /> : null}
        {test.data && !test.isFetching ? <TestResults tests={test.data} /> : null}
        <div>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            disabled={test.isFetching}
            onClick={() => void test.refetch()}
          >
            {t('feeds:test.again')}
          </Button>
        </div>
      </Stack>
    </Dialog>
  )
}
