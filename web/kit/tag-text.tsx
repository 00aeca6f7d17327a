import { Tooltip } from '@mantine/core'
import { truncateText, maxTagLength } from './truncate-text.ts'

interface Props {
  text: string
  maxLength?: number
  /** Focusable, so that keyboard users can read the full text in the tooltip. */
  isReachable?: boolean
}

/** Text of a tag, truncated if it is long; the full text is in the tooltip and read by screen readers. */
export function TagText({ text, maxLength = maxTagLength, isReachable = false }: Props) {
  const truncated = truncateText(text, maxLength)
  if (truncated === text) return <span>{text}</span>
  return (
    <Tooltip label={text}>
      <span tabIndex={isReachable ? 0 : undefined}>
        <span aria-hidden="true">{truncated}</span>
        <span className="only-read">{text}</span>
      </span>
    </Tooltip>
  )
}
