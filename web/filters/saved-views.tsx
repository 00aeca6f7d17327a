import { ActionIcon, Anchor, Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Link, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteSavedView, listSavedViews, type SavedView, saveView } from '#contract/saved-views.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import styles from './saved-views.module.css'
import { parseView } from './share-link.ts'

interface Props {
  /** URL of the page to save. */
  href: string
  onOpen: () => void
}

/** Saves the page with its filters under a name, and opens or deletes saved views of the page. */
export function SavedViews({ href, onOpen }: Props) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const { user } = useMe()
  const [name, setName] = useState('')
  const [isShared, setIsShared] = useState(false)
  const regionInput = { params: { region_id: regionId } }
  const views = useEndpointQuery(listSavedViews, regionInput)
  const save = useEndpointMutation(saveView, [listSavedViews])
  const currentView = parseView(href, regionId)
  const viewsOfPage = (views.data?.items ?? []).filter(({ path }) => path === currentView.path)
  return (
    <Stack gap="sm" className={styles['root'] ?? ''}>
      <Text component="h2" className={styles['title'] ?? ''}>
        {t('filters:views.title')}
      </Text>
      {viewsOfPage.length > 0 ? (
        <ul className={styles['list']}>
          {viewsOfPage.map((view) => (
            <ViewRow key={view.view_id} regionId={regionId} view={view} onOpen={onOpen} />
          ))}
        </ul>
      ) : null}
      {views.data && viewsOfPage.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('filters:views.none')}
        </Text>
      ) : null}
      {views.error && !views.data ? (
        <FailedState error={views.error} onRetry={() => void views.refetch()} />
      ) : null}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(
            { ...regionInput, body: { ...currentView, name, is_shared: isShared } },
            {
              onSuccess: () => {
                setName('')
                showToast(t('filters:views.saved', { name }))
              },
            },
          )
        }}
      >
        <Stack gap="sm">
          <Group gap="sm" align="flex-end" wrap="nowrap">
            <TextInput
              className={styles['name'] ?? ''}
              label={t('filters:views.name')}
              maxLength={80}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === ''}>
              {t('filters:views.save')}
            </Button>
          </Group>
          {user.operators === null ? (
            <Switch
              size="sm"
              label={t('filters:views.share')}
              checked={isShared}
              onChange={(event) => setIsShared(event.currentTarget.checked)}
            />
          ) : null}
          {save.error ? <FailedState error={save.error} title={t('filters:views.failed')} /> : null}
        </Stack>
      </form>
    </Stack>
  )
}

function ViewRow({ regionId, view, onOpen }: { regionId: string; view: SavedView; onOpen: () => void }) {
  const { t } = useTranslation()
  const router = useRouter()
  const remove = useEndpointMutation(deleteSavedView, [listSavedViews])
  const { view_id, name, path, search } = view
  return (
    <li className={styles['view']}>
      <div className={styles['text']}>
        <Anchor
          component={Link}
          to={`/${encodeURIComponent(regionId)}/${path}`}
          search={router.options.parseSearch(search) as never}
          size="sm"
          onClick={onOpen}
        >
          {name}
        </Anchor>
        {view.is_shared ? (
          <Text size="xs" c="dimmed">
            {t('filters:views.by', { who: view.created_by })}
          </Text>
        ) : null}
      </div>
      {view.can_delete ? (
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={remove.isPending}
          aria-label={t('filters:views.delete', { name })}
          onClick={() =>
            remove.mutate(
              { params: { region_id: regionId, view_id } },
              { onSuccess: () => showToast(t('kit:did.deleted', { name })) },
            )
          }
        >
          <IconTrash size={16} />
        </ActionIcon>
      ) : null}
    </li>
  )
}
