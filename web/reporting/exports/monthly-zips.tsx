import { Button, Group, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { buildMonthlyZip, listMonthlyZips, type MonthlyZip } from '#contract/exports.ts'
import { type LocalDay, startOfMonth } from '#contract/period.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { isOpen, useFileColumns } from './file-state.tsx'

/** How often zips that are being built are looked at. */
const lookMs = 2000

function monthText(month: string, language: string): string {
  return new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01`),
  )
}

/** The zips of months of a region; administrators can build that of the last month now. */
export function MonthlyZips({ today }: { today: LocalDay }) {
  const { t, i18n } = useTranslation()
  const { regionId, timezone } = useRegion()
  const { can } = useMe()
  const params = { region_id: regionId }
  const zips = useEndpointQuery(
    listMonthlyZips,
    { params },
    {
      staleTime: 0,
      refetchInterval: (query) => (query.state.data?.items.some(isOpen) ? lookMs : false),
    },
  )
  const build = useEndpointMutation(buildMonthlyZip, [listMonthlyZips])
  const month = startOfMonth(today, 1).slice(0, 7)
  const fileColumns = useFileColumns(timezone)
  return (
    <section>
      <Title order={2} mt="xl" mb="sm">
        {t('exports:zips.title')}
      </Title>
      <Text mb="md">{t('exports:zips.text')}</Text>
      {build.error ? <FailedState error={build.error} /> : null}
      {can('is_admin') ? (
        <Group mb="md">
          <Button
            variant="default"
            loading={build.isPending}
            onClick={() => build.mutate({ params, body: { month } })}
          >
            {t('exports:zips.build', { month: monthText(month, i18n.language) })}
          </Button>
        </Group>
      ) : null}
      <Loaded
        of={zips}
        dim={false}
        isEmpty={({ items }) => items.length === 0}
        empty={<EmptyState title={t('exports:zips.empty.title')}>{t('exports:zips.empty.text')}</EmptyState>}
      >
        {({ items }) => (
          <Table<MonthlyZip>
            label={t('exports:zips.title')}
            rows={items}
            rowKey={({ export_id: id }) => id}
            hasTools={false}
            isWrapped
            columns={[
              {
                key: 'month',
                title: t('exports:zips.month'),
                value: ({ month: of }) => monthText(of, i18n.language),
              },
              {
                key: 'version',
                title: t('exports:zips.version'),
                isNumber: true,
                value: ({ version }) => version,
              },
              ...fileColumns.filter(({ key }) => key !== 'expires'),
              {
                key: 'actions',
                title: t('kit:actions'),
                isActions: true,
                width: 130,
                value: () => null,
                renderCell: ({ url, file_name: name }) =>
                  url ? (
                    <Button component="a" size="xs" href={url} download={name}>
                      {t('exports:list.download')}
                    </Button>
                  ) : null,
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}
