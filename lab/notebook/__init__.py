"""What an analyst wants in a notebook: tables read and explained, games watched, figures drawn."""
