interface Props {
  regionId: string
  /** What the icon on a home screen is called where the manifest's name is not asked for. */
  name: string
}

/** What the page's head says of an app that can be installed: it opens with this region's map. Gone with the page. */
export function InstallHead({ regionId, name }: Props) {
  return (
    <>
      <link rel="manifest" href={`/${regionId}/mobile/live.webmanifest`} />
      <meta name="apple-mobile-web-app-title" content={name} />
    </>
  )
}
