import { Button, Group, Select, Stack, Text } from '@mantine/core'
import { IconExternalLink, IconWorld } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Region } from '#contract/regions.ts'
import { getRoutePublishing, type RoutePublishing, setRoutePublishing } from '#contract/routes.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { CopyField } from '#web/kit/copy-field.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { useMe } from '#web/shell/me.tsx'
import { publicAddress } from '#web/shell/public-address.ts'
import { PermissionHolders } from '#web/shell/permission-holders.tsx'
import { formatMonth } from '#web/kit/dates/calendar-text.ts'
import styles from './publish-routes.module.css'

/** Returns a function that formats the months of the public map. */
function useFormatMonths() {
  const { t, i18n } = useTranslation()
  return ({ first_month: first, last_month: last, months }: RoutePublishing): string => {
    const format = (month: string): string => formatMonth(month, i18n.language)
    // Null: from the oldest month. `months` is newest first.
    const from = first ?? months.at(-1)
    if (from === undefined) return t('routes:publish.noMonth')
    if (last === null) return t('routes:publish.since', { first: format(from) })
    return last === from
      ? format(from)
      : t('routes:publish.range', { first: format(from), last: format(last) })
  }
}

interface Props {
  region: Region
}

/** Shows whether the routes are public, the link to them, and how to publish them. */
export function PublishRoutes({ region }: Props) {
  const { t } = useTranslation()
  const { can } = useMe()
  const formatMonths = useFormatMonths()
  const [dialog, setDialog] = useState<'months' | 'link' | 'unpublish' | null>(null)
  const { data } = useEndpointQuery(getRoutePublishing, { params: { region_id: region.regionId } })
  if (!data) return null
  const canPublish = can('publish_to_public_map')
  const close = (): void => setDialog(null)
  return (
    <section className={styles['bar']} aria-label={t('routes:publish.label')}>
      <div className={styles['state']}>
        <strong>{t('routes:publish.label')}</strong>
        <span>{data.published ? formatMonths(data) : t('routes:publish.notPublished')}</span>
        {data.published ? null : (
          <PermissionHolders regionId={region.regionId} permission="publish_to_public_map" />
        )}
      </div>
      {data.published ? (
        <Button size="xs" variant="default" onClick={() => setDialog('link')}>
          {t('routes:publish.showLink')}
        </Button>
      ) : canPublish ? (
        <Button size="xs" leftSection={<IconWorld size={16} />} onClick={() => setDialog('months')}>
          {t('routes:publish.action')}
        </Button>
      ) : null}
      {dialog === 'months' ? (
        <MonthsDialog region={region} publishing={data} onDone={() => setDialog('link')} onClose={close} />
      ) : null}
      {dialog === 'link' ? (
        <PublicLinkDialog
          regionId={region.regionId}
          months={formatMonths(data)}
          canPublish={canPublish}
          onChange={() => setDialog('months')}
          onUnpublish={() => setDialog('unpublish')}
          onClose={close}
        />
      ) : null}
      {dialog === 'unpublish' ? (
        <UnpublishDialog region={region} months={formatMonths(data)} onClose={close} />
      ) : null}
    </section>
  )
}

/** Selects the months of the public map, and whether new months are added automatically. */
function MonthsDialog({
  region,
  publishing,
  onDone,
  onClose,
}: Props & { publishing: RoutePublishing; onDone: () => void; onClose: () => void }) {
  const { t, i18n } = useTranslation()
  const { months } = publishing
  const [first, setFirst] = useState(publishing.first_month)
  const [last, setLast] = useState(publishing.last_month)
  const save = useEndpointMutation(setRoutePublishing, [getRoutePublishing])
  const oldest = months.at(-1)
  // A selected month may no longer have data.
  const selectable = [...new Set([...months, ...[first, last].filter((month) => month !== null)])]
  const options = selectable
    .toSorted()
    .reverse()
    .map((month) => ({ value: month, label: formatMonth(month, i18n.language) }))
  const isReversed = first !== null && last !== null && first > last
  return (
    <FormDialog
      title={t('routes:publish.title')}
      action={t(publishing.published ? 'routes:publish.save' : 'routes:publish.action')}
      isPending={save.isPending}
      isDisabled={isReversed}
      error={save.error}
      errorTitle={t('routes:publish.failed')}
      onSubmit={() =>
        save.mutate(
          {
            params: { region_id: region.regionId },
            body: { published: true, first_month: first, last_month: last },
          },
          { onSuccess: onDone },
        )
      }
      onClose={onClose}
    >
      <Text size="sm">
        {t('routes:publish.text', { minTrips: formatInteger(Math.max(1, region.privacyMinimum)) })}
      </Text>
      <Select
        label={t('routes:publish.first')}
        allowDeselect={false}
        value={first ?? ''}
        data={[
          {
            value: '',
            label: oldest
              ? t('routes:publish.oldest', { month: formatMonth(oldest, i18n.language) })
              : t('routes:publish.start'),
          },
          ...options,
        ]}
        onChange={(month) => setFirst(month || null)}
      />
      <Select
        label={t('routes:publish.last')}
        allowDeselect={false}
        value={last ?? ''}
        data={[{ value: '', label: t('routes:publish.newest') }, ...options]}
        error={isReversed ? t('routes:publish.reversed') : null}
        onChange={(month) => setLast(month || null)}
      />
      {months.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('routes:publish.empty')}
        </Text>
      ) : null}
    </FormDialog>
  )
}

interface PublicLinkDialogProps {
  regionId: string
  months: string
  canPublish: boolean
  onChange: () => void
  onUnpublish: () => void
  onClose: () => void
}

/** Shows the link to the public map, and to users who may publish also how to change or unpublish it. */
function PublicLinkDialog({
  regionId,
  months,
  canPublish,
  onChange,
  onUnpublish,
  onClose,
}: PublicLinkDialogProps) {
  const { t } = useTranslation()
  const address = publicAddress(regionId, 'routes')
  return (
    <Dialog size={560} title={t('routes:publish.title')} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm">{t('routes:publish.months', { months })}</Text>
        <CopyField label={t('routes:publish.link')} value={`${location.origin}${address}`} />
        <Group justify="space-between" gap="sm">
          {canPublish ? (
            <Group gap="sm">
              <Button variant="default" onClick={onChange}>
                {t('routes:publish.change')}
              </Button>
              <Button variant="default" onClick={onUnpublish}>
                {t('routes:publish.unpublish')}
              </Button>
            </Group>
          ) : (
            <span />
          )}
          <Button
            component="a"
            href={address}
            target="_blank"
            rel="noreferrer"
            title={t('shell:newTab')}
            leftSection={<IconExternalLink size={18} />}
          >
            {t('routes:publish.open')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

/** Asks to confirm that the public map goes offline, and explains what remains. */
function UnpublishDialog({ region, months, onClose }: Props & { months: string; onClose: () => void }) {
  const { t } = useTranslation()
  const save = useEndpointMutation(setRoutePublishing, [getRoutePublishing])
  return (
    <ConfirmDialog
      title={t('routes:publish.confirm.title')}
      action={t('routes:publish.unpublish')}
      isPending={save.isPending}
      error={save.error}
      onConfirm={() =>
        save.mutate(
          { params: { region_id: region.regionId }, body: { published: false } },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      {t('routes:publish.confirm.text', { region: region.text, months })}
    </ConfirmDialog>
  )
}
