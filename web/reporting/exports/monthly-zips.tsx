import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { buildMonthlyZip, listMonthlyZips } from '#contract/exports.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { followZips, ZipList } from './zip-list.tsx'

function formatMonth(month: string, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  )
}

/** The monthly zips of a region; administrators can build last month's immediately. */
export function MonthlyZips({ today }: { today: LocalDay }) {
  const { t, i18n } = useTranslation()
  const { can } = useMe()
  const params = { region_id: useRegion().regionId }
  const zips = useEndpointQuery(listMonthlyZips, { params }, followZips)
  const build = useEndpointMutation(buildMonthlyZip, [listMonthlyZips])
  const month = startOfMonth(today, 1).slice(0, 7)
  return (
    <ZipList
      texts={{
        title: t('exports:zips.title'),
        text: t('exports:zips.text'),
        emptyTitle: t('exports:zips.empty.title'),
        emptyText: t('exports:zips.empty.text'),
      }}
      zips={zips}
      error={build.error}
      canExpire={false}
      controls={
        can('is_admin') ? (
          <Group mb="md">
            <Button
              variant="default"
              loading={build.isPending}
              onClick={() => build.mutate({ params, body: { month } })}
            >
              {t('exports:zips.build', { month: formatMonth(month, i18n.language) })}
            </Button>
          </Group>
        ) : null
      }
      columns={[
        {
          key: 'month',
          title: t('exports:zips.month'),
          value: ({ month }) => formatMonth(month, i18n.language),
        },
        { key: 'version', title: t('exports:zips.version'), isNumber: true, value: ({ version }) => version },
      ]}
    />
  )
}
