import { ActionIcon, Popover } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { useTexts } from '../../lib/texts.ts'
import classes from './dashboard.module.css'
import { texts } from './texts.ts'

/** The definition of a figure, loaded on request. */
export const LazyMetricDefinition = lazy(() =>
  import('./metric-definition.tsx').then((module) => ({ default: module.MetricDefinition })),
)

/** The definition of a figure, behind an (i). */
export function MetricInfo({ metricName, children }: { metricName: string; children: ReactNode }) {
  const words = useTexts(texts)
  return (
    <Popover width={280} shadow="lg" position="bottom-end" withArrow>
      <Popover.Target>
        <ActionIcon variant="subtle" size={22} aria-label={words.what(metricName)}>
          <IconInfoCircle size={15} stroke={1.75} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={classes.meaning}>
        <Suspense fallback={null}>{children}</Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
