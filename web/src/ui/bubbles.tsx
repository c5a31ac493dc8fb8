/** A bubble 60 units wide with a sharp corner at the bottom left: the letter of the logo. */
export const bubblePath = 'M0 60V30a30 30 0 1 1 30 30z'

const four = [
  { x: 0, y: 0, turn: 90, fill: 'var(--rc-accent-soft-2)' },
  { x: 64, y: 0, turn: 180, fill: 'var(--rc-accent-soft)' },
  { x: 0, y: 64, turn: 0, fill: 'var(--rc-accent-soft)' },
  { x: 64, y: 64, turn: 270, fill: 'var(--rc-accent)' },
]

/** The four bubbles: only for the "nothing is open" state. */
export function Bubbles({ size = 96 }: { size?: number }) {
  return (
    <svg aria-hidden="true" width={size} height={size} viewBox="0 0 124 124">
      {four.map(({ x, y, turn, fill }) => (
        <path key={turn} d={bubblePath} transform={`translate(${x} ${y}) rotate(${turn} 30 30)`} fill={fill} />
      ))}
    </svg>
  )
}
