import type { Region } from '#contract/regions.ts'

interface Agency {
  region: Region
  /** Of the organization. */
  name: string
  /** Of the operators whose MDS provider id is known. */
  providerIds: readonly string[]
  /** When something of it was changed last, ms since 1970. */
  updated: number
  created: number
  /** Of this deployment, without a slash at its end. */
  publicUrl: string
}

/**
 * The requirements of a region (MDS Requirements): which feeds of ours operators have to read. What a city demands of theirs beyond the standard is in its permit,
 * of which we know nothing: only what is served here is told.
 */
export function requirementsOf({ region, name, providerIds, updated, created, publicUrl }: Agency) {
  const url = (room: string, list: string): string => `${publicUrl}/mds/${room}/${region.regionId}/${list}`
  const endpoint = (room: string, list: string) => ({ endpoint_name: list, url: url(room, list) })
  return {
    metadata: {
      mds_release: '2.0.2', file_version: 1, last_updated: updated, max_update_interval: 'P1M', agency_id: region.organizationId, agency_name: name.slice(0, 255), agency_timezone: region.timezone, agency_language: 'en-US',
      agency_currency: region.currencyCode, agency_website_url: publicUrl, url: url('policy', 'requirements'),
    },
    programs: providerIds.length
      ? [{
          description: `Shared mobility in ${region.text}`.slice(0, 255), program_website_url: `${publicUrl}/${region.regionId}/public/policies`, provider_ids: providerIds, start_date: created, end_date: null,
          required_data_specs: [{
            data_spec_name: 'MDS', version: '2.0', mode_id: 'micromobility',
            available_apis: [
              { api_name: 'policy', available_endpoints: [endpoint('policy', 'policies'), endpoint('policy', 'requirements')] },
              { api_name: 'geography', available_endpoints: [endpoint('geography', 'geographies')] },
            ],
          }],
        }]
      : [],
  }
}
