import classes from './brand.module.css';

/** Mark and name. */
export const Brand = () => (
  <span className={classes.brand}>
    <span className={classes.mark} aria-hidden="true" />
    Outdial
  </span>
);
