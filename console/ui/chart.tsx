import classes from './chart.module.css';

/** One thing that the chart shows of every moment. */
interface Series {
  readonly name: string;
  /** From the first moment to the last, from 0. */
  readonly values: readonly number[];
}

interface Props {
  /** What it shows, with its most important figure, for people who do not see it. */
  readonly label: string;
  readonly title: string;
  /** The second is a part of the first and stands before it. */
  readonly series: readonly [Series, Series?];
  /** What the top of the chart stands for, as it is said. */
  readonly top: string;
  /** The moment that is looked at, from 0. */
  readonly at: number;
}

const height = 100;

/** Steps of a series as one outline: a value holds for the whole of its step. Two decimals are finer than any screen. */
function outline(values: readonly number[], most: number): string {
  const steps = values.map((value, index) => {
    const y = (height * (1 - value / most)).toFixed(2);
    return `V${y}H${index + 1}`;
  });
  return `M0 ${height}${steps.join('')}V${height}Z`;
}

/** Figures over time. The vertical line is the moment that is looked at. */
export function Chart({ label, title, series: [first, second], top, at }: Props) {
  const most = Math.max(1, ...first.values, ...(second?.values ?? []));
  const steps = first.values.length;
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span>
          {title}
          {second !== undefined && (
            <>
              <span className={`${classes.key ?? ''} ${classes.main ?? ''}`} aria-hidden="true" />
              {first.name}
              <span className={`${classes.key ?? ''} ${classes.part ?? ''}`} aria-hidden="true" />
              {second.name}
            </>
          )}
        </span>
        <span>{top}</span>
      </figcaption>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${Math.max(1, steps)} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <path className={classes.main} d={outline(first.values, most)} data-series={first.name} />
        {second !== undefined && (
          <path className={classes.part} d={outline(second.values, most)} data-series={second.name} />
        )}
        <line className={classes.moment} x1={at + 0.5} x2={at + 0.5} y1={0} y2={height} />
      </svg>
    </figure>
  );
}
