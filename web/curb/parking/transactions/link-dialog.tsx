import { Radio, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { linkPaymentLocations, type PaymentLocationLink } from '#contract/curb-payment-links.ts'
import { listCurbZoneChoices } from '#contract/curb-zones.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { FormDialog } from '#web/kit/form-dialog.tsx'
import { formatLength } from '#web/kit/format.ts'
import { showToast } from '#web/kit/toasts.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatZonePlace } from '../../regulations/zone-fields.tsx'

interface Props {
  location: PaymentLocationLink
  affectedQueries: readonly Endpoint[]
  onClose: () => void
}

const noZone = 'none'
const maxSearchResults = 20
const searchPauseMs = 300

/** Selects the zone of a location: one of those nearby, one found by search, or none. */
export function LinkDialog({ location, affectedQueries, onClose }: Props) {
  const { t } = useTranslation()
  const { regionId, isMetric } = useRegion()
  const params = { region_id: regionId }
  const [zoneId, setZoneId] = useState(location.curb_zone_id ?? noZone)
  const [typed, setTyped] = useState('')
  const [searchText] = useDebouncedValue(typed.trim(), searchPauseMs)
  const searchResult = useEndpointQuery(
    listCurbZoneChoices,
    { params, query: { text: searchText, size: maxSearchResults } },
    { enabled: searchText !== '', placeholderData: keepPreviousData },
  )
  const link = useEndpointMutation(linkPaymentLocations, affectedQueries)
  const choices = new Map<string, string>()
  if (location.curb_zone_id !== null)
    choices.set(location.curb_zone_id, location.zone_name ?? location.curb_zone_id)
  for (const { curb_zone_id: id, zone_name: name, meters } of location.suggestions)
    choices.set(
      id,
      meters === null
        ? name
        : `${name} · ${t('curb:payments.locations.away', { length: formatLength(meters, isMetric) })}`,
    )
  const foundZones = searchText ? searchResult.data : undefined
  for (const zone of foundZones?.items ?? [])
    if (!choices.has(zone.curb_zone_id))
      choices.set(
        zone.curb_zone_id,
        formatZonePlace(zone, (side) => t(`curb:regulations.side.${side}`)),
      )
  const hiddenCount = foundZones ? foundZones.total - foundZones.items.length : 0
  return (
    <FormDialog
      title={t('curb:payments.locations.chooseFor', { name: location.name || location.location_id })}
      action={t('curb:payments.locations.link')}
      isPending={link.isPending}
      isDisabled={zoneId === (location.curb_zone_id ?? noZone)}
      error={link.error}
      errorTitle={t('curb:payments.locations.failed')}
      onSubmit={() =>
        link.mutate(
          {
            params,
            body: {
              links: [{ location_id: location.location_id, curb_zone_id: zoneId === noZone ? null : zoneId }],
            },
          },
          {
            onSuccess: ({ linked }) => {
              showToast(t('curb:payments.locations.linked', { count: linked }))
              onClose()
            },
          },
        )
      }
      onClose={onClose}
    >
      <TextInput
        label={t('curb:payments.locations.search')}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {searchText && searchResult.error ? (
        <FailedState error={searchResult.error} onRetry={() => void searchResult.refetch()} />
      ) : null}
      <Radio.Group label={t('curb:payments.locations.column.zone')} value={zoneId} onChange={setZoneId}>
        <Stack gap="xs" mt="xs">
          {[...choices].map(([id, name]) => (
            <Radio key={id} value={id} label={name} />
          ))}
          {hiddenCount > 0 ? (
            <Text size="sm" c="dimmed">
              {t('curb:payments.locations.moreZones', { count: hiddenCount })}
            </Text>
          ) : null}
          <Radio value={noZone} label={t('curb:payments.locations.noZone')} />
        </Stack>
      </Radio.Group>
    </FormDialog>
  )
}
